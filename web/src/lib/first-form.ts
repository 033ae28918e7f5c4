/** The state of the login form that stood before the app had arrived (login.html). */
export interface FirstForm {
  email: string
  password: string
  /** The name of the field that had the focus. */
  focused: string | null
  /** Somebody pressed the button already. */
  isSent: boolean
}

let taken: FirstForm | null = null

/** Keeps what was typed; before the app takes its place. */
export function keepFirstForm(root: HTMLElement) {
  if (!('firstForm' in root.dataset)) return
  const typed = (name: string) => root.querySelector<HTMLInputElement>(`input[name=${name}]`)?.value ?? ''
  taken = {
    email: typed('email'),
    password: typed('password'),
    focused: document.activeElement?.getAttribute('name') ?? null,
    isSent: root.dataset.firstForm === 'sent',
  }
  delete root.dataset.firstForm
}

/** The language that the form speaks, which somebody may have chosen since the app began to load; undefined: there is no such form. */
export const firstFormLanguage = (root: HTMLElement): string | undefined =>
  'firstForm' in root.dataset ? root.querySelector('select')?.value : undefined

/** Once: the next login form begins empty. */
export function takeFirstForm(): FirstForm | null {
  const first = taken
  taken = null
  return first
}
