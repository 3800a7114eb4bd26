/**
 * "Nothing was sent" at the end of a message is about the request that the message is about. Where a run has changed something before, it
 * is left out: the run as a whole sent something.
 */
const claim =
	/(?:[;.,:]|,? so|,? and)? nothing (?:of it )?(?:was (?:confirmed or )?(?:sent|changed|created|requested|cancelled)|can have changed)(?! a second time)\b\.?/giu;

/** The text without the claim that nothing was sent or changed. Pure. */
export const withoutClaim = (text: string): string => text.replace(claim, "");

/** Whether the text says that nothing was sent or changed. Pure. */
export const claimsNothing = (text: string): boolean => text.search(claim) >= 0;
