import type { APIRequestContext, BrowserContextOptions, Page } from 'playwright-core'
import { foundCompany, logIn, password } from './devices-company.ts'
import type { Stage } from './stage.ts'

const api = '/app/api/v1'
let count = 0

/** A mail address nobody has had before. */
export const freshAddress = (name: string): string => {
  count += 1
  return `${name}.${Date.now()}.${count}@access.test`
}

export interface Someone {
  page: Page
  email: string
}

/** A company's Admin logged in to a browser of their own, terms accepted and company profile filled in; no screen is open yet. */
export async function admin(stage: Stage, options: BrowserContextOptions = {}): Promise<Someone> {
  const page = await stage.page(options)
  const email = freshAddress('amina')
  await foundCompany(stage, page.request, 'Lagos Cold Stores', email)
  await logIn(page, email)
  return { page, email }
}

/** The token that the page's session is stored with. */
export const tokenOf = (page: Page): Promise<string> =>
  page.evaluate(() => (JSON.parse(localStorage.getItem('isotherm.session') ?? '{}') as { token: string }).token)

export const authorization = async (page: Page) => ({ authorization: `Bearer ${await tokenOf(page)}` })

/** Invites somebody by the API and sets their password by the mailed link; not logged in yet. */
export async function teamMember(stage: Stage, by: Page, person: { fullname: string; role: string }): Promise<string> {
  const email = freshAddress(person.role)
  const invited = await by.request.post(`${api}/users`, {
    headers: await authorization(by),
    data: { ...person, email },
  })
  if (!invited.ok()) throw new Error(await invited.text())
  const token = (await stage.mailedLink(email, 'usersetup')).split('#').at(-1)
  const set = await by.request.post(`${api}/users/setup`, { data: { token, password } })
  if (!set.ok()) throw new Error(await set.text())
  return email
}

/** A team member logged in to a browser of their own; no screen is open yet. */
export async function loggedIn(stage: Stage, email: string): Promise<Page> {
  const page = await stage.page()
  await logIn(page, email)
  return page
}

type Matrix = Record<string, Record<string, boolean>>

/** Saves a role's permissions, changed from what they are. */
export async function permit(
  request: APIRequestContext,
  headers: Record<string, string>,
  role: string,
  change: (m: Matrix) => Matrix,
) {
  const answer = await request.get(`${api}/roles/${role}`, { headers })
  const { payload } = (await answer.json()) as { payload: { modulePermissions: Matrix } }
  const saved = await request.patch(`${api}/roles/${role}`, {
    headers,
    data: { modulePermissions: change(payload.modulePermissions) },
  })
  if (!saved.ok()) throw new Error(await saved.text())
}

export const nothing = (matrix: Matrix): Matrix =>
  Object.fromEntries(
    Object.entries(matrix).map(([module, actions]) => [
      module,
      Object.fromEntries(Object.keys(actions).map((action) => [action, false])),
    ]),
  )
