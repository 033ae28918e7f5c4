/** The reason why the server or a command of the operator cannot run, in words for the operator: shown without a stack. */
export class StartRefused extends Error {}
