/** What keeps a backup or a restore from being made, in words for the operator: shown as it is, without a stack. */
export class RefusedError extends Error {}
