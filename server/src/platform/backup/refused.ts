/** The reason why a backup or a restore cannot be made, in words for the operator: shown without a stack. */
export class RefusedError extends Error {}
