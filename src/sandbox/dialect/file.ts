/**
 * A binding as the dialect of a sandbox: its faults, and its addresses on this machine.
 */

import { catalog } from "../../api/operations/catalog.js";
import { isRecord } from "../../api/schema.js";
import { isUrl } from "../../api/text/url.js";
import { type Bindings, readBindingFile } from "../../binding/file.js";
import type { Fault } from "../../errors.js";
import { type Spoken, spokenIn } from "./dialect.js";
import { signature } from "./telling-apart.js";

/** Where a binding's own servers are put until the sandbox listens. */
const anywhere = "http://127.0.0.1";

/** Reads the document of a binding as a dialect, and finds all that is wrong with it. */
export function readDialect(document: unknown): { bindings: Bindings; faults: readonly Fault[] } {
	const { bindings, faults } = readBindingFile(movedDocument(document), catalog, anywhere);
	return { bindings, faults: faults.length > 0 ? faults : sharedAddresses(bindings) };
}

/** The same bindings with their servers at the sandbox's address. @param url scheme, host and port */
export function bindingsAt({ service, operations }: Bindings, url: string): Bindings {
	const moved = Object.entries(operations).map(([id, binding]) => [
		id,
		binding.server === undefined ? binding : { ...binding, server: movedAddress(binding.server, url) },
	]);
	return { ...(service === undefined ? {} : { service }), operations: Object.fromEntries(moved) };
}

function movedDocument(document: unknown): unknown {
	if (!isRecord(document) || !isRecord(document.operations)) return document;
	const moved = Object.entries(document.operations).map(([id, one]) => {
		const server = isRecord(one) && typeof one.server === "string" && isUrl(one.server) ? one.server : undefined;
		return [id, server === undefined ? one : { ...(one as object), server: movedAddress(server, anywhere) }];
	});
	return { ...document, operations: Object.fromEntries(moved) };
}

const movedAddress = (server: string, url: string): string => url + new URL(server).pathname;

/** Two operations at one address whose requests look alike: the sandbox could not know which is meant, and nor could a service. */
function sharedAddresses(bindings: Bindings): Fault[] {
	const spoken = spokenIn(bindings);
	const addressOf = ({ method, path }: Spoken): string => `${method} ${path.replace(/\{[^{}]*\}/g, "{}")}`;
	const idsOf = ({ operation }: Spoken): string => Object.keys(operation.params.shape).join();
	return spoken.flatMap((one, index) =>
		spoken
			.slice(index + 1)
			.filter((other) => addressOf(one) === addressOf(other) && signature(one.told) === signature(other.told))
			// The record that an id leads to tells which of the two is meant.
			.filter((other) => idsOf(one) === "" || idsOf(one) === idsOf(other))
			.map((other) => ({
				field: `operations.${other.operation.id}`,
				message: `is ${other.method} ${other.path} as ${one.operation.id} is, and nothing in a request tells them apart; a constant could`,
			})),
	);
}
