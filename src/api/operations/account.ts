/**
 * Masks an account number for display: `FR76••••0189`. Enough to recognise it, not enough to use it.
 * An account of six characters or fewer is hidden completely, because its ends would show all of it.
 */
export function maskedAccount(account: string | undefined): string | undefined {
	if (account === undefined) return undefined;
	const bare = [...account.replace(/\s/g, "")];
	if (bare.length === 0) return undefined;
	const shownAtStart = /^[A-Z]{2}[0-9]{2}/.test(bare.join("")) ? 4 : 2;
	if (bare.length < shownAtStart + 8) return bare.length <= 6 ? "••••" : `••••${bare.slice(-2).join("")}`;
	return `${bare.slice(0, shownAtStart).join("")}••••${bare.slice(-4).join("")}`;
}
