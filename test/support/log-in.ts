/** The command that logs in at a sandbox; its password, `sandbox-password`, is typed or piped. */
export const logInWords = ["auth", "login", "--username", "operator", "--partner-name", "example-partner", "--password-stdin"] as const;
