import { describe, expect, it } from "vitest";
import demo, { outcomeOf } from "../../src/commands/demo.js";
import type { Context } from "../../src/context.js";
import { PurserError } from "../../src/errors.js";
import { smallContext } from "../support/context.js";

interface Ran {
	exit: number;
	stdout: string;
	stderr: string;
	both: string;
}

/** A demo whose commands answer with what `answer` says; the sandbox behind it is real and unused. */
function rehearsal(answer: (argv: readonly string[]) => Partial<Ran>, env: Record<string, string> = {}) {
	const small = smallContext();
	const shown: string[] = [];
	const runs: { argv: readonly string[]; env: Record<string, string>; input?: string }[] = [];
	const written = new Map<string, string>();
	let removed = false;
	const context: Context = {
		...small.context,
		settings: { ...small.context.settings, flags: { ...small.context.settings.flags, verbose: true } },
		report: {
			...small.context.report,
			show: async (text) => {
				shown.push(text);
			},
		},
		files: {
			...small.context.files,
			write: async (path, content) => void written.set(path, String(content)),
			temporary: async () => ({
				path: "/somewhere",
				remove: async () => {
					removed = true;
				},
			}),
		},
		system: {
			...small.context.system,
			env,
			processes: {
				self: async (argv, options) => {
					runs.push({ argv, ...options });
					const stdout = answer(argv).stdout ?? "";
					return { exit: 0, stdout, stderr: "", both: stdout, ...answer(argv) };
				},
				program: async () => undefined,
			},
		},
	};
	return { context, shown, runs, written, interrupt: small.interrupt, removed: () => removed };
}

const stop = async (context: Context): Promise<PurserError> => {
	const error = await demo.run(context, {}).catch((cause: unknown) => cause);
	if (!(error instanceof PurserError)) throw new Error(`expected a PurserError, got ${String(error)}`);
	return error;
};

describe("the demo", () => {
	it("stops at the first command that does not end with 0, says which, and leaves nothing behind", async () => {
		const { context, runs, removed } = rehearsal(([noun]) => (noun === "terms" ? { exit: 6, stderr: "Error: no answer" } : {}));
		const error = await stop(context);
		expect(error.exit).toBe(1);
		expect(error.failure.message).toBe("The demo stopped at step 3, `purser terms show`: it ended with exit code 6 instead of 0");
		expect(error.failure.why).toBe("Error: no answer");
		expect(runs).toHaveLength(3);
		expect(removed()).toBe(true);
	});

	it("calls Ctrl-C an interruption, and cleans up all the same", async () => {
		const staged = rehearsal(() => ({ exit: 130 }));
		staged.interrupt();
		const error = await stop(staged.context);
		expect([error.kind, error.exit]).toEqual(["interrupted", 130]);
		expect(staged.removed()).toBe(true);
	});

	it("gives each command a configuration of its own and none of the person's", async () => {
		const env = { PATH: "/bin", PURSER_TOKEN: "secret", PURSER_PROFILE: "live", PURSER_BASE_URL: "https://api.example.com" };
		const { context, runs } = rehearsal(() => ({ exit: 1 }), env);
		await stop(context);
		expect(runs[0]?.env).toEqual({
			PATH: "/bin",
			COLUMNS: "80",
			PURSER_CONFIG_DIR: "/somewhere/config",
			PURSER_STATE_DIR: "/somewhere/state",
			PURSER_NO_KEYRING: "1",
			PURSER_NO_INPUT: "1",
			PURSER_OUTPUT: "text",
		});
	});

	it("shows each command as it would be typed, the secret by standard input", async () => {
		const { context, runs, shown } = rehearsal(([noun]) => (noun === "auth" ? { exit: 1 } : {}));
		await stop(context);
		expect(shown.join("")).toMatch(
			/\n\$ purser profile add demo --base-url http:\/\/127\.0\.0\.1:\d+ --username operator --partner-name example-partner\n[^$]*\n\$ printf %s sandbox-password \| purser auth login --password-stdin\n/,
		);
		expect(runs[1]?.argv).not.toContain("sandbox-password");
		expect(runs[1]?.input).toBe("sandbox-password");
	});

	it("takes an unexpected end for a failure of its own", () => {
		const summary = (kyb: string, status: string) => ({
			steps: 27,
			seconds: 1,
			corporate: { id: "c", kyb },
			payments: [{ kind: "ledger", id: "t", status }],
		});
		expect(outcomeOf(summary("VALIDATED", "APPROVED"))).toBeUndefined();
		expect(outcomeOf(summary("DECLINED", "APPROVED"))).toBe("bug");
		expect(outcomeOf(summary("VALIDATED", "DECLINED"))).toBe("bug");
	});
});
