/** A mistake of whoever typed the command: shown as it is, without a stack. */
export class UsageError extends Error {}
