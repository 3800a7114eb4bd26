/**
 * What can go wrong with deliveries on request. Each takes the next deliveries, as many as its count says.
 */
export const webhookFaultKinds = ["duplicate", "reorder", "bad-signature", "late", "lost"] as const;
export type WebhookFaultKind = (typeof webhookFaultKinds)[number];

export interface WebhookFault {
	kind: WebhookFaultKind;
	/** How many more deliveries it takes. */
	times: number;
}

/** What is typed instead of a fault to get a new secret. */
export const rotation = "rotate";

/**
 * `lost`, `bad-signature:x3`. Without a count it takes one delivery, and two where they change places.
 * @throws RangeError saying what is wrong
 */
export function parseWebhookFault(text: string): WebhookFault {
	const [, kind = "", count] = /^([a-z-]+)(?::x(\d{1,6}))?$/.exec(text) ?? [];
	if (!webhookFaultKinds.includes(kind as WebhookFaultKind))
		throw new RangeError(`${JSON.stringify(text)} is not ${rotation} or KIND[:xTIMES]; kinds: ${webhookFaultKinds.join(", ")}`);
	const least = kind === "reorder" ? 2 : 1;
	const times = count === undefined ? least : Number(count);
	if (times < least) throw new RangeError(`${kind} takes at least ${least === 2 ? "two deliveries (x2)" : "one delivery (x1)"}`);
	return { kind: kind as WebhookFaultKind, times };
}

export const formatWebhookFault = ({ kind, times }: WebhookFault): string => `${kind}:x${times}`;
