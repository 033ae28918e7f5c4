import { sql } from 'kysely'
import type { TenantTx } from '../context.ts'

/** Marks where `takeBack` goes back to. */
export const beginRehearsal = ({ tx }: TenantTx) => sql`savepoint rehearsal`.execute(tx)

/** Undoes what the transaction did since `beginRehearsal`. */
export const takeBack = ({ tx }: TenantTx) => sql`rollback to savepoint rehearsal`.execute(tx)
