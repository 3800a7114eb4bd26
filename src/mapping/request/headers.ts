/**
 * Headers that a profile may not set, and the characters that any header may have. Pure.
 */

/** They carry a credential, or determine how a request is framed. */
const ofTheClient =
	/^(authorization|proxy-.*|cookie|host|content-length|content-type|transfer-encoding|connection|keep-alive|upgrade|expect|te|trailer)$/i;

/** Whether the client alone sets a header. */
export const isOfTheClient = (name: string): boolean => ofTheClient.test(name);

/** Whether a header names JSON by a name that the service has for it, in the request or in the answer. */
export const isJsonType = (name: string, value: unknown): boolean =>
	/^(accept|content-type)$/i.test(name) && /^application\/([\w.-]+\+)?json$/.test(String(value));

/** Whether a header's name tells that its value is a secret. */
export const isSecret = (name: string): boolean => /(api-?key|token|secret|password|passwd|credential)/i.test(name);

export const isHeaderName = (text: string): boolean => /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(text);

export const isHeaderValue = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);
