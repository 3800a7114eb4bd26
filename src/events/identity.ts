/**
 * Which deliveries are one, and which events mean the same. Pure; the page of this room says why.
 */
import { sha256OfParts } from "../api/digest.js";
import type { EventSubject, HeardDelivery, Said } from "../ports/events.js";

/** Both names of the one scheme deliver the same messages with the same ids. */
const senderOf = (scheme: string): string => (scheme === "svix" ? "standard" : scheme);

/**
 * Who counts how often a state was entered: each sender by itself (what it pushes and what its polling endpoint hands out are the same
 * messages), and our own polls.
 */
export const witnessOf = (delivery: Pick<HeardDelivery, "scheme"> | undefined): string =>
	delivery === undefined ? "poll" : `sender ${senderOf(delivery.scheme)}`;

/** The key under which a delivery is known: a second one with it is a repeat. @param digest SHA-256 of the body, hex */
export function deliveryKey({ scheme, id, at }: Pick<HeardDelivery, "scheme" | "id" | "at">, digest: string): string {
	return id === undefined
		? sha256OfParts(["bytes", senderOf(scheme), at === undefined ? "" : String(at), digest])
		: sha256OfParts(["id", senderOf(scheme), id]);
}

/** The state that something entered, as a key; undefined where the sender does not say both what and which. */
export function entryKey({ subject, to }: Pick<Said, "subject" | "to">): string | undefined {
	return subject === null || to === null ? undefined : sha256OfParts(["entry", subject.kind, sameId(subject), to]);
}

/** UUIDs are the same in capitals and small letters; other ids are as they are given. */
export const sameId = ({ id }: Pick<EventSubject, "id">): string =>
	/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id) ? id.toLowerCase() : id;

/** The id of an event whose meaning is known. @param occurrence the first time that its subject entered the state is 1 */
export const meaningId = (entry: string, occurrence: number): string => written(["meaning", entry, String(occurrence)]);

/** The id of an event of which nothing is known but its delivery. */
export const deliveryId = (key: string): string => written(["delivery", key]);

const written = (parts: readonly string[]): string => `evt_${sha256OfParts(parts).slice(0, 32)}`;
