import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
export function keyOf(host: string, port: number): Promise<string>;
export const CHROMIUM: string;
export function launch(keys: string[], more?: string[], executablePath?: string): Promise<Browser>;
export function serveFrom(context: BrowserContext, base: string, folder: string | (() => string), there?: () => boolean): Promise<void>;
export function withoutQuestions(context: BrowserContext): Promise<void>;
export function open(address: string, options?: BrowserContextOptions, more?: string[]): Promise<{ browser: Browser; page: Page; base: string }>;
