import { afterEach } from 'vitest'
import { testDatabase } from '../server/test/database.ts'
import { missingTexts, openPages, takeDatabasesFrom } from './stage.ts'

// One PostgreSQL for all files; each stage has a database of its own.
takeDatabasesFrom(testDatabase)

// A failure on a machine that nobody can look at: what the pages showed at that moment.
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return
  for (const page of openPages) {
    const text = await page.locator('body').ariaSnapshot({ timeout: 2_000 }).catch(String)
    console.log(`${task.name}: ${page.url()} showed\n${text.replace(/\s+/g, ' ').slice(0, 1_500)}`)
  }
})

// No raw key and no placeholder on any screen: the test that showed one fails.
afterEach(() => {
  const missing = missingTexts.splice(0)
  if (missing.length > 0) throw new Error(missing.join('\n'))
})
