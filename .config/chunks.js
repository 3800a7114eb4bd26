// Fewer files to open at a start: modules that the same kinds of start load stand in one chunk. The kinds are those that are frequent (help,
// Tab, a read, a payment), each named by the modules that it imports late beside the entry.
import { join } from "node:path";

const ready = ["start.ts", "cli/contract.ts"];
const performed = [...ready, "cli/perform.ts", "config/secrets/credentials.ts"];
const called = [...performed, "http/transport/http.ts", "http/service.ts", "names/resolver.ts", "config/secrets/live-at.ts"];
const read = [...called, "commands/ledger/list.ts", "cli/output/table.ts"];
const sent = ["http/sender.ts", "journal/open.ts", "system/operator.ts", "payments/rules/rules.ts"];
const pay = [...called, "commands/pay/ledger.ts", "cli/ask/payment.ts", ...sent];
// What an index hands on is reached from every start, though one command alone writes a JSON Schema.
const seldom = /[\\/]zod[\\/]v4[\\/]core[\\/](json-schema-processors|to-json-schema)\.js$/;
/** By kind of start, the modules of `src` that it is known by. */
export const starts = { help: [...ready, "cli/help/help.ts"], tab: ready, read, pay };

/** A module of each file that starts share. The bundler gives entries plain exports; those of other files are getters, which take a payment 2 % longer. */
export const entries = {
	start: "src/start.ts",
	perform: "src/cli/perform.ts",
	pay: "src/commands/pay/ledger.ts",
	list: "src/commands/ledger/list.ts",
	help: "src/cli/help/help.ts",
};

/** The plugin that learns which kinds of start load a module, and the option of the output that makes one chunk for each set of them. */
export function chunksByStart(source) {
	const startsOf = new Map();
	const follow = (context) => {
		for (const [start, named] of Object.entries(starts)) {
			const reached = new Set(named.map((name) => join(source, ...name.split("/"))));
			for (const id of reached) {
				startsOf.set(id, [...(startsOf.get(id) ?? []), start]);
				for (const next of context.getModuleInfo(id)?.importedIds ?? []) if (!seldom.test(next)) reached.add(next);
			}
		}
	};
	return {
		plugin: {
			name: "chunks-by-start",
			buildEnd() {
				follow(this);
			},
		},
		codeSplitting: {
			includeDependenciesRecursively: false,
			groups: [{ name: (id) => startsOf.get(id)?.join("-") ?? null, debugName: "starts" }],
		},
	};
}
