// The settings of this device: appearance, alerts and screen lock.

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
  sound = $state(false);
  vibration = $state(true);
  /** True to show system notifications, if the system allows them. */
  notices = $state(true);
  /** True to keep the screen on while the hall is shown. */
  awake = $state(true);
  /** True if this device had stored settings, including sound, when the page loaded. */
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

  keep(): void {
    const kept: Kept = { theme: this.theme, sound: this.sound, vibration: this.vibration, notices: this.notices, awake: this.awake };
    try {
      localStorage.setItem(STORE, JSON.stringify(kept));
    } catch {
      // Without storage, the settings last only until the page is closed.
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
