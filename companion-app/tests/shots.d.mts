import type { Page } from "playwright-core";
export declare function pictures(page: Page, base: string, directory: string, only?: string[]): Promise<string[]>;
export declare function everyLook(page: Page, name: string, directory: string): Promise<void>;
