/** How a case is looked up. */
export interface LookupOptions {
	/** Where the service cannot list: whether a record that the journal does not know counts as not created yet. */
	isNew: boolean;
	/** Milliseconds within which a created record appears in the service's list. */
	settleAfter: number;
}
