import { PgBoss } from 'pg-boss'

/** Asks a running server for jobs, each at most once a second: a server that is away finds no long queue. */
export async function openJobAsker(databaseUrl: string) {
  const boss = new PgBoss({ connectionString: databaseUrl, max: 1, supervise: false, schedule: false, migrate: false })
  boss.on('error', () => {})
  await boss.start()
  return {
    ask: ({ name }: { name: string }) =>
      boss.send(name, {}, { singletonKey: name, singletonSeconds: 1 }).catch(() => null),
    close: () => boss.stop({ graceful: false }),
  }
}
