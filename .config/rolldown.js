import { defineConfig } from "rolldown";

// One entry, split where the source says `await import`; what is native stays a dependency of its own.
// CommonJS starts faster: its functions are compiled when they are first called, not when the file is read.
export default defineConfig({
	input: { main: "src/main.ts" },
	platform: "node",
	external: ["libsql", "@napi-rs/keyring", /^node:/],
	transform: { target: "node20" },
	output: {
		dir: "dist",
		format: "cjs",
		sourcemap: true,
		cleanDir: true,
		minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
		entryFileNames: "[name].cjs",
		chunkFileNames: "[name]-[hash].cjs",
	},
});
