import type { FastifyRequest } from 'fastify'

/** Whether somebody's browser asks for a page, not a program for an answer: then what went wrong is told by a page, too. */
export const isPageVisit = ({ method, headers }: FastifyRequest): boolean =>
  method === 'GET' && (headers.accept ?? '').includes('text/html')
