export function missingIn(css: string, from: string): string[];
