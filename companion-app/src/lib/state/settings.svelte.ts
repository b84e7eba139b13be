// How this device looks and sounds, kept on the device. Owns nothing of the hall.

export type Theme = "system" | "light" | "dark" | "contrast" | "contrast-dark";
export const THEMES: readonly Theme[] = ["system", "light", "dark", "contrast", "contrast-dark"];

const STORE = "flagfall.settings";

interface Kept {
  theme: Theme;
  sound: boolean;
  vibration: boolean;
  notices: boolean;
  awake: boolean;
}

export class Settings {
  theme: Theme = $state("system");
  /** A hall is silent until its arbiter wants otherwise. */
  sound = $state(false);
  vibration = $state(true);
  /** Notifications of the system, where it lets the page have them. */
  notices = $state(true);
  /** Keeps the screen on while the hall is shown. */
  awake = $state(true);
  /** Whether the arbiter has ever said if there is to be sound. */
  readonly soundChosen: boolean;

  constructor() {
    const kept = read();
    this.theme = THEMES.find((theme) => theme === kept.theme) ?? "system";
    this.sound = kept.sound === true;
    this.soundChosen = kept.sound !== undefined;
    this.vibration = kept.vibration !== false;
    this.notices = kept.notices !== false;
    this.awake = kept.awake !== false;
  }

  /** Writes them down and puts the theme on the page. */
  keep(): void {
    const kept: Kept = { theme: this.theme, sound: this.sound, vibration: this.vibration, notices: this.notices, awake: this.awake };
    try {
      localStorage.setItem(STORE, JSON.stringify(kept));
    } catch {
      // A private window keeps nothing; the settings hold until it is closed.
    }
    this.dress();
  }

  dress(): void {
    if (this.theme === "system") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = this.theme;
  }
}

function read(): Partial<Kept> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(STORE) ?? "{}");
    return typeof kept === "object" && kept !== null ? kept : {};
  } catch {
    return {};
  }
}
