/**
 * The provider did nothing: the request did not reach it, or was turned away before it was looked at (a wrong key, too many requests). No
 * money moved, and the same request may be made again.
 */
export class NotSent extends Error {}
