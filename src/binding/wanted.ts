/**
 * What a service requires in a request and purser has nothing for, and what a person can do about it, in words. Pure.
 */
import type { AnyOperation } from "../api/operation.js";
import type { OperationBinding, Wanted } from "../ports/binding.js";
import { partsOf } from "./pointer.js";

/** The name of a field that makes a request sent twice count once. */
export const isIdempotency = (name: string): boolean => /idempot/i.test(name);
/** Of one that must be another for each request, and of one that proves who asks. */
const once = /(request|correlation|message|trace)[_-]?(id|number|key)$|^if-|traceparent|nonce|timestamp/i;
const proves = /signature|secret|token|api[_-]?key|password|^cookie$/i;

/** What the document required when the binding was stored, and the binding sends no value for now. */
export function stillWanted({ source, headers = {}, constants = [], request }: OperationBinding): Wanted[] {
	const key = ({ place, at }: { place: string; at: string }): string => `${place} ${place === "header" ? at.toLowerCase() : at}`;
	const sent = new Set([
		...Object.keys(headers).map((at) => key({ place: "header", at })),
		...constants.map(key),
		...Object.values(request?.fields ?? {}).map(({ place, at }) =>
			key({ place, at: place === "body" ? (request?.record ?? "") + at : at }),
		),
	]);
	return (source?.wants ?? []).filter((one) => !sent.has(key(one)));
}

const mostShown = 5;

/** What the service requires and does not get, and what can be done, in sentences without a full stop. */
export function wantedTexts(operation: AnyOperation, binding: OperationBinding): string[] {
	const address = `${binding.method ?? operation.method} ${binding.path ?? operation.path} (${operation.id})`;
	const all = stillWanted(binding);
	const nameOf = ({ at, place }: Wanted): string => (place === "body" ? (partsOf(at)?.at(-1) ?? at) : at);
	const keys = all.filter((one) => isIdempotency(nameOf(one)));
	const proofs = all.filter((one) => one.place === "header" && !keys.includes(one) && proves.test(nameOf(one)));
	const single = all.filter((one) => !keys.includes(one) && !proofs.includes(one) && once.test(nameOf(one)));
	const constants = all.filter((one) => ![...keys, ...proofs, ...single].includes(one));
	const isMoney = operation.effect === "money";
	return [
		...sentence(keys, (names) =>
			isMoney
				? `${address} requires an idempotency key (${names}), which is not sent: the service will refuse every payment. A constant cannot serve: each payment would count as the first one, sent again`
				: `${address} requires an idempotency key (${names}), which is not sent: the service will refuse it`,
		),
		...sentence(
			proofs,
			(names) =>
				`${address} requires ${names}, a secret or a signature, and purser sends the profile's credential alone: the service will refuse it`,
		),
		...sentence(
			single,
			(names) => `${address} requires ${names}, another one for each request, which purser does not have: the service may refuse it`,
		),
		...sentence(
			constants,
			(names) => `${address} also wants ${names}, for which purser has nothing: the service may refuse it. ${remedy(operation, constants)}`,
		),
	];
}

function sentence(wanted: readonly Wanted[], text: (names: string) => string): string[] {
	if (wanted.length === 0) return [];
	const more = wanted.length > mostShown ? ` and ${wanted.length - mostShown} more` : "";
	return [
		text(
			`${wanted
				.slice(0, mostShown)
				.map(({ at }) => at)
				.join(", ")}${more}`,
		),
	];
}

/** A value that is always the same can be sent. */
function remedy({ id }: AnyOperation, wanted: readonly Wanted[]): string {
	const header = wanted.find(({ place }) => place === "header");
	const isOther = wanted.some(({ place }) => place !== "header");
	return [
		...(header === undefined ? [] : [`A header that is always the same: purser api set ${id} --header '${header.at}: VALUE'`]),
		...(isOther ? ["A value that is always the same: among the constants in the file of purser api export, then purser api use"] : []),
	].join(". ");
}
