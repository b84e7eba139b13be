// Compiler options shared by svelte-check, the editor and Vite: runes everywhere.
export default { compilerOptions: { runes: true } };
