/** Ends a test run with one plain line that counts tests, for whoever reads logs by machine. */
export default class CountReporter {
	onTestRunEnd(modules, unhandled) {
		const counts = { passed: 0, failed: unhandled.length, skipped: 0 };
		for (const module of modules) {
			for (const test of module.children.allTests()) {
				const { state } = test.result();
				counts[state === "passed" || state === "failed" ? state : "skipped"] += 1;
			}
			// A file that could not be run has no tests to count, and is a failure all the same.
			if (module.state() === "failed" && [...module.children.allTests("failed")].length === 0) counts.failed += 1;
		}
		process.once("exit", () => process.stdout.write(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`));
	}
}
