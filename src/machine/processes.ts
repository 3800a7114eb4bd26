import type { Processes } from "../ports/machine.js";

/** Runs the program at `script` with the Node at `node`; a single executable is both. */
export function processes(node: string, script: string): Processes {
	const words = async (argv: readonly string[]): Promise<readonly string[]> => {
		const { isSea } = await import("node:sea");
		return isSea() ? argv : [script, ...argv];
	};
	return {
		self: async (argv, { env, input }) => {
			const { spawn } = await import("node:child_process");
			const all = await words(argv);
			return new Promise((resolve, reject) => {
				const child = spawn(node, all, { env, stdio: "pipe" });
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
		background: async (argv) => {
			const { spawn } = await import("node:child_process");
			// From the root: a folder in use could not be removed or unmounted.
			const child = spawn(node, await words(argv), { stdio: "ignore", detached: true, windowsHide: true, cwd: "/" });
			child.on("error", () => {});
			child.unref();
		},
	};
}
