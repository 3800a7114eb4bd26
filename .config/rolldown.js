import { defineConfig } from "rolldown";

// One entry, split where the source says `await import`; what is native stays a dependency of its own.
export default defineConfig({
	input: { main: "src/main.ts" },
	platform: "node",
	external: ["libsql", "@napi-rs/keyring", /^node:/],
	output: { dir: "dist", format: "esm", sourcemap: true, cleanDir: true, chunkFileNames: "[name]-[hash].js" },
});
