/** The form of an answer. */
export type Format = "text" | "json" | "ndjson";
