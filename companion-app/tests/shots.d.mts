import type { Page } from "playwright-core";
export interface Complaints {
  /** The text that the page shows. */
  shown: string;
  /** Its hub cannot be reached, and should not be. */
  away: boolean;
  wrong: string[];
}
export declare function complaints(page: Page): Complaints;
export declare function pictures(page: Page, base: string, directory: string, only: string[], heard: Complaints): Promise<void>;
export declare function everyLook(page: Page, name: string, directory: string): Promise<void>;
