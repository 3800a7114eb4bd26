/** One delivery, whole, as it came. Nobody has checked it. */
export interface ReceivedDelivery {
	/** Names in lower case. A header that came more than once has all its values. */
	headers: Readonly<Record<string, string | readonly string[]>>;
	body: Buffer;
}

/** What a sender is answered: stored, its signature is not one of ours, or nothing can be stored now (it tries again). */
export type DeliveryAnswer = "stored" | "unsigned" | "busy";

/** Why a request was turned away before anybody looked at its signature. */
export type TurnedAway =
	| "connections"
	| "host"
	| "path"
	| "method"
	| "compressed"
	| "too-large"
	| "too-slow"
	| "malformed"
	| "busy"
	| "failed";

export interface ReceiverLimits {
	connections: number;
	body: number;
	/** Milliseconds in which a request must be here, from its first byte to its last. */
	request: number;
	/** Milliseconds that a connection may be idle between two requests. */
	idle: number;
	/** Bytes of all bodies that are here. */
	held: number;
}

export interface ReceiverPlace {
	/** 0 takes a free one. */
	port: number;
	/** Begins with a slash. Without it one that nobody can guess. */
	path?: string;
	/** Names beside 127.0.0.1 and localhost that a request may be for: those of a tunnel that leads here. */
	hosts?: readonly string[];
}

export interface ReceiverOptions {
	/** Answers a delivery; where it throws, the sender is told to try again. */
	take(delivery: ReceivedDelivery): Promise<DeliveryAnswer>;
	/** Called for each request that was turned away, with its host where that is why. */
	turnedAway(why: TurnedAway, host?: string): void;
	limits?: Partial<ReceiverLimits>;
}

export interface Receiver {
	/** Where senders deliver: scheme, address, port and path. */
	readonly url: string;
	/** Takes nothing new, answers what is on its way for a while, then closes every connection. */
	close(): Promise<void>;
}

/** @throws the system's error where the port cannot be had */
export type OpenReceiver = (place: ReceiverPlace, options: ReceiverOptions) => Promise<Receiver>;
