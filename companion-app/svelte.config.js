// What svelte-check, the editor and Vite share: runes everywhere, and a warning is a fault.
export default { compilerOptions: { runes: true } };
