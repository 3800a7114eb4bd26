// Fewer files to open on the way: what the same roads load stands in one file. A road is named here by what it imports late
// beside the entry; the modules that a set of roads shares, and no other road of these, are one chunk.
import { join } from "node:path";

// Tab paints nothing, but a file less to open is more to all others.
const ready = [
	"run.ts",
	"commands/index.ts",
	"machine/machine.ts",
	"shell/output/cut-off.ts",
	"shell/output/paint.ts",
	"shell/output/style.ts",
];
const chosen = ["config/directories.ts", "config/settings.ts", "config/profiles.ts"];
const asked = [...ready, ...chosen, "shell/perform.ts", "config/secrets/credentials.ts"];
const tab = [...ready, ...chosen, "shell/completion/ids.ts"];
const read = [...asked, "client/transport/http.ts", "commands/ledger/list.ts"];
const dry = [...asked, "shell/input/dry-run.ts", "commands/pay/ledger.ts"];
const pay = [...dry, "client/transport/http.ts", "journal/open.ts", "machine/operator.ts", "payments/rules/rules.ts"];
const roads = { help: [...ready, "shell/help/help.ts"], tab, read, dry, pay };

/** The plugin that learns who imports whom, and the option of the output that uses it. */
export function groupedByRoad(source) {
	/** For each module the roads on which it is loaded. */
	const used = new Map();
	const learn = (context) => {
		for (const [road, starts] of Object.entries(roads)) {
			const open = starts.map((name) => join(source, ...name.split("/")));
			const seen = new Set(open);
			for (const id of open) {
				used.set(id, [...(used.get(id) ?? []), road]);
				for (const next of context.getModuleInfo(id)?.importedIds ?? [])
					if (!seen.has(next)) {
						seen.add(next);
						open.push(next);
					}
			}
		}
	};
	return {
		plugin: {
			name: "roads",
			buildEnd() {
				learn(this);
			},
		},
		codeSplitting: {
			includeDependenciesRecursively: false,
			groups: [{ name: (id) => used.get(id)?.join("-") ?? null, debugName: "roads" }],
		},
	};
}
