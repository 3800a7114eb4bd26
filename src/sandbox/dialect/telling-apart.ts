/**
 * Which operation a request means, where a deployment has several of ours at one address: the constants tell, or the fields that are there.
 */
import type { AnyOperation } from "../../api/operation.js";
import { describe } from "../../api/schema.js";
import { foundAt, partsOf } from "../../binding/pointer.js";
import type { Values } from "../../binding/request.js";
import type { Constant, OperationBinding, Place } from "../../ports/binding.js";
import { type HttpError, invalidFields } from "../message.js";

interface Spot {
	place: Place;
	/** A name, or the parts from the body's root. */
	at: readonly string[];
}

/** What a request of one operation has. */
export interface Told {
	constants: readonly (Spot & Pick<Constant, "value">)[];
	/** Where what is required stands. */
	required: readonly Spot[];
	/** Where anything bound stands. */
	bound: readonly Spot[];
}

export function telling(operation: AnyOperation, { constants = [], request, fields: names = {} }: OperationBinding): Told {
	const record = partsOf(request?.record ?? "") ?? [];
	const spots = Object.entries(request?.fields ?? {}).map(([name, { place, at }]) => ({
		name,
		place,
		at: place === "body" ? [...record, ...(partsOf(at) ?? [])] : [nameAt(place, at)],
	}));
	const required = operation.body === undefined ? [] : (describe(operation.body).fields ?? []).filter((one) => one.required);
	return {
		constants: constants.map(({ place, at, value }) => ({
			place,
			at: place === "body" ? (partsOf(at) ?? []) : [nameAt(place, at)],
			value,
		})),
		required: required.flatMap(({ name }): Spot[] => {
			const own = spots.filter((one) => one.name === name || one.name.startsWith(`${name}.`));
			return own.length > 0 ? own : [{ place: "body", at: [...record, names[name] ?? name] }];
		}),
		bound: spots,
	};
}

const nameAt = (place: Place, name: string): string => (place === "header" ? name.toLowerCase() : name);

/** Whatever would tell requests of two operations at one address apart, as text. */
export const signature = ({ constants, required }: Told): string =>
	JSON.stringify([constants, required].map((spots) => spots.map(({ place, at, ...value }) => JSON.stringify([place, at, value])).sort()));

/**
 * Those that a request fits best: with all their constants, what they require, and most of what is there. Where it fits none, the first of
 * all, with what is wrong.
 */
export function fittingBest<T extends { told: Told; values: Values }>(all: readonly T[]): { best: [T, ...T[]]; fault?: HttpError } {
	const ranked = all
		.filter(({ told, values }) => told.constants.every((one) => missing(one, values) === undefined))
		.map((one) => ({ one, rank: rankOf(one) }))
		.sort((left, right) => compared(right.rank, left.rank));
	const [best] = ranked;
	if (best === undefined) return { best: [all[0] as T], fault: unfitting(all) };
	return { best: ranked.filter(({ rank }) => compared(rank, best.rank) === 0).map(({ one }) => one) as [T, ...T[]] };
}

function rankOf({ told, values }: { told: Told; values: Values }): number[] {
	const there = (spots: readonly Spot[]): number => spots.filter((spot) => valueAt(values, spot) !== undefined).length;
	return [there(told.required) - told.required.length, told.constants.length, there(told.bound)];
}

const compared = (one: readonly number[], other: readonly number[]): number =>
	one.map((rank, at) => rank - (other[at] ?? 0)).find((difference) => difference !== 0) ?? 0;

function valueAt({ body, query, headers, params }: Values, { place, at }: Spot): unknown {
	return foundAt({ body, query, header: headers, path: params }[place], at)[0]?.value;
}

function missing(constant: Told["constants"][number], values: Values): string | undefined {
	const value = valueAt(values, constant);
	return value !== undefined && String(value) === String(constant.value) ? undefined : constant.at.join(".");
}

function unfitting(all: readonly { told: Told; values: Values }[]): HttpError {
	const faults = all.flatMap(({ told, values }) => told.constants.filter((one) => missing(one, values) !== undefined));
	const fields = [...new Set(faults.map(({ at }) => at.join(".")))];
	return invalidFields(
		...fields.map((field) => ({
			field,
			message: `must be ${[...new Set(faults.filter(({ at }) => at.join(".") === field).map(({ value }) => value))].join(" or ")}`,
		})),
	);
}
