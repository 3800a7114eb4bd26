// What a payment through a binding costs beside the same one without: `npm run bench:binding [-- PAYMENTS FILE]` (40 of each, and the
// binding with an envelope, unless given). Two sandboxes of the built program, one of which speaks the binding; one payment of each after
// the other, so that a machine that others use too slows both alike. What is told is the median, and that of the pairs' differences.
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
const program = join(root, "bin", "purser.js");
const [count = "40", file = join(root, "test/sandbox/dialects/enveloped.yaml")] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "purser-bench-"));
const env = {
	PATH: process.env.PATH,
	HOME: folder,
	PURSER_CONFIG_DIR: join(folder, "config"),
	PURSER_STATE_DIR: folder,
	PURSER_NO_KEYRING: "1",
};
const median = (values) => [...values].sort((one, other) => one - other)[Math.floor((values.length - 1) / 2)];

function sandbox(name, more) {
	const child = spawn(process.execPath, [program, "sandbox", "serve", "--port", "0", "--save-profile", name, "-o", "ndjson", ...more], {
		env,
		stdio: ["ignore", "pipe", "inherit"],
	});
	return new Promise((resolve) => child.stdout.once("data", () => resolve(child)));
}

/** Milliseconds of one payment, from the program's start to its end. */
function paid(profile, number) {
	const start = performance.now();
	const words = ["pay", "ledger", "--from", "Main account", "--to", "Savings", "--amount", "1.10", "--reference", `Bench ${number}`];
	execFileSync(process.execPath, [program, ...words, "--profile", profile, "--yes", "--json"], {
		env,
		stdio: ["ignore", "ignore", "pipe"],
	});
	return performance.now() - start;
}

const running = [await sandbox("described", []), await sandbox("bound", ["--dialect", file])];
try {
	const pairs = [];
	for (let number = 0; number < Number(count) + 2; number++) {
		const [first, second] = number % 2 === 0 ? ["described", "bound"] : ["bound", "described"];
		const took = { [first]: paid(first, number), [second]: paid(second, number) };
		// The first ones fill the system's caches.
		if (number >= 2) pairs.push(took);
	}
	const of = (name) => median(pairs.map((one) => one[name]));
	const difference = median(pairs.map(({ described, bound }) => bound - described));
	process.stdout.write(
		`as described ${of("described").toFixed(1)} ms, bound ${of("bound").toFixed(1)} ms; ratio ${(of("bound") / of("described")).toFixed(3)}; the difference of a pair ${difference.toFixed(1)} ms (at most 3)\n`,
	);
} finally {
	for (const child of running) child.kill();
	rmSync(folder, { recursive: true });
}
