/** How a case is looked up. */
export interface LookupOptions {
	/** Where the service cannot list: take what the journal does not know as not created yet. */
	isNew: boolean;
	/** Milliseconds within which a creation that was made appears in the service's list. */
	settleAfter: number;
}
