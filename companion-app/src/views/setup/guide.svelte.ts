// The guide to setting up the hall on this device, kept across reloads. Starts with an empty hall. Ends when there is an event and every board
// has a clock, or when the arbiter closes it.

const STORE = "flagfall.setting-up";

export type SetupSheet = "menu" | "event" | "import" | "add" | "remove" | "enrol" | "broadcast";

class Guide {
  open = $state(kept());
  /** The open sheet. It is stored here because the boards replace the guide as soon as the hall has a board. */
  sheet: SetupSheet | null = $state(null);

  begin(): void {
    this.#turn(true);
  }

  end(): void {
    this.#turn(false);
  }

  #turn(open: boolean): void {
    this.open = open;
    try {
      if (open) localStorage.setItem(STORE, "1");
      else localStorage.removeItem(STORE);
    } catch {
      // Without storage, the guide lasts only until the page is closed.
    }
  }
}

function kept(): boolean {
  try {
    return localStorage.getItem(STORE) !== null;
  } catch {
    return false;
  }
}

export const guide = new Guide();
