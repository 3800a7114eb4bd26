import type { Processes } from "../context.js";

/** Runs the program at `script` with the Node at `node`. */
export function processes(node: string, script: string): Processes {
	return {
		self: async (argv, { env, input }) => {
			const { spawn } = await import("node:child_process");
			return new Promise((resolve, reject) => {
				const child = spawn(node, [script, ...argv], { env, stdio: "pipe" });
				let stdout = "";
				let stderr = "";
				let both = "";
				child.stdout.setEncoding("utf8").on("data", (part: string) => {
					stdout += part;
					both += part;
				});
				child.stderr.setEncoding("utf8").on("data", (part: string) => {
					stderr += part;
					both += part;
				});
				child.once("error", reject);
				child.once("close", (exit) => resolve({ exit: exit ?? 1, stdout, stderr, both }));
				child.stdin.on("error", () => {});
				child.stdin.end(input ?? "");
			});
		},
	};
}
