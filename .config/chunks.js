// Fewer files to open at a start: modules that the same roads load stand in one chunk. A road is a way through the program that is
// taken often (help, Tab, a read, a dry run, a payment), named by the modules that it imports late beside the entry.
import { join } from "node:path";

// Tab paints nothing and few need the contract, but one file less to open is more to all others.
const ready = [
	"api/token-variables.ts",
	"run.ts",
	"commands/index.ts",
	"system/machine.ts",
	"cli/contract.ts",
	"cli/output/cut-off.ts",
	"cli/output/paint.ts",
	"cli/output/style.ts",
	"cli/under-way.ts",
];
const resolved = ["config/directories.ts", "config/settings.ts", "config/profiles.ts"];
const performed = [...ready, ...resolved, "cli/perform.ts", "config/secrets/credentials.ts"];
const tab = [...ready, ...resolved, "cli/completion/complete.ts"];
const read = [...performed, "http/transport/http.ts", "commands/ledger/list.ts"];
const named = ["http/service.ts", "names/resolver.ts", "config/secrets/live-at.ts"];
const dry = [...performed, ...named, "cli/input/dry-run.ts", "commands/pay/ledger.ts", "http/lane.ts"];
const sent = ["http/leave/required.ts", "http/transport/http.ts", "journal/open.ts", "system/operator.ts", "payments/rules/rules.ts"];
const pay = [...dry, ...sent];
// What an index hands on is reached from every road, though one command alone writes a JSON Schema.
const offRoad = /[\\/]zod[\\/]v4[\\/]core[\\/](json-schema-processors|to-json-schema)\.js$/;
const roads = { help: [...ready, "cli/help/help.ts"], tab, read, dry, pay };

/** The plugin that learns which roads load a module, and the option of the output that makes one chunk for each set of roads. */
export function chunksByRoad(source) {
	const roadsOf = new Map();
	const follow = (context) => {
		for (const [road, starts] of Object.entries(roads)) {
			const reached = new Set(starts.map((name) => join(source, ...name.split("/"))));
			for (const id of reached) {
				roadsOf.set(id, [...(roadsOf.get(id) ?? []), road]);
				for (const next of context.getModuleInfo(id)?.importedIds ?? []) if (!offRoad.test(next)) reached.add(next);
			}
		}
	};
	return {
		plugin: {
			name: "chunks-by-road",
			buildEnd() {
				follow(this);
			},
		},
		codeSplitting: {
			includeDependenciesRecursively: false,
			groups: [{ name: (id) => roadsOf.get(id)?.join("-") ?? null, debugName: "roads" }],
		},
	};
}
