import type { ErrorCode } from '@isotherm/contract/errors.ts'
import { type UseFormReturnType, useForm } from '@mantine/form'
import { type RefObject, use, useEffect, useReducer, useRef, useState, useTransition } from 'react'
import { flushSync } from 'react-dom'
import type { z } from 'zod'
import { isCallError } from '../../lib/call-error.ts'
import { i18n } from '../../lib/i18n.ts'
import { renewalsOf } from '../../lib/renewals.ts'
import { differing } from '../../lib/save-change.ts'
import { dismissErrors, toastError } from '../../lib/toast.ts'
import { useHeldToasts } from '../use-held-toasts.ts'
import { FormsOfThing } from './form-of.tsx'
import { missingErrors, schemaErrors } from './schema-errors.ts'
import { useFailure } from './use-failure.ts'

export type EntityFormOptions<V extends object, B, R> = FormOptions<V, B, R> & Checked<V>

/** The fields that may not stay empty. */
type Required<V> = readonly string[] | ((values: V) => readonly string[])

/**
 * The schema by which the server checks the body: the contract's schema, or how to load it. It says which fields are marked as
 * required; `required` says it where the schema does not come along, or adds what it does not know.
 */
type Checked<V> =
  | { schema: z.ZodType; required?: Required<V> }
  | { schema?: () => Promise<z.ZodType>; required: Required<V> }

interface FormOptions<V extends object, B, R> {
  initialValues: V
  /** The body made of what was typed (empty text to null, text to number ...). */
  toBody: (values: V) => B
  save: (body: B, values: V) => Promise<R>
  /** The field that a broken rule (a 400) is about, where it is not the usual one; the field says it instead of a toast. */
  fieldOf?: Partial<Record<ErrorCode, keyof V & string>>
  /** React draws what it sets once the answers that it asks again are there: a dialog closes over the list of after. */
  onSaved?: (result: R, values: V) => void
}

/** How long a saved form waits for answers that are asked again. */
const renewalMs = 2000

/** A group of boxes has no element that could be required: its label carries the mark. */
const requiredProps = { required: true, labelProps: { 'data-required': true } }

/** The fields that broken rules are about, by the names that forms have for them. */
const usualFields: Partial<Record<ErrorCode, readonly string[]>> = {
  EMAIL_TAKEN: ['email'],
  WRONG_PASSWORD: ['currentPassword', 'password'],
  SAME_PASSWORD: ['newPassword', 'password'],
  LICENCE_INVALID: ['licenceKey'],
  LICENCE_USED: ['licenceKey'],
}

export interface EntityForm<V extends object> {
  fields: UseFormReturnType<V>
  saving: boolean
  /** Why the last save failed, where no field says so. */
  failure: string | null
  submit: () => void
  /** True while something typed has not been saved. */
  isUnsaved: () => boolean
  /**
   * Starts over from other values, such as those a fresh load brought. `former`: what the form began with before, where what somebody typed
   * in a field stays unless the other values differ there.
   */
  startFrom: (values: V, former?: V) => void
}

/**
 * A form for one record: keeps what was typed when the server refuses, puts the server's `fields` at the fields, and
 * sends once however often somebody clicks.
 */
export function useEntityForm<V extends object, B, R>(options: EntityFormOptions<V, B, R>): EntityForm<V> {
  const required = useRef<ReadonlySet<string>>(new Set())
  const fields = useForm<V>({
    initialValues: options.initialValues,
    // The one place that says so to a field: `base.css` draws the mark.
    enhanceGetInputProps: ({ field }) => (required.current.has(String(field)) ? requiredProps : {}),
  })
  useRequired(options, fields.getValues(), required)
  const [saving, setSaving] = useState(false)
  const [renewing, startRenewing] = useTransition()
  useHeldToasts(saving || renewing)
  const { failure, fail, waitFor } = useFailure()
  const busy = useRef(false)
  const saved = useRef(false)
  const sent = useRef<V | null>(null)

  /** Puts errors at their fields. `toasted`: how they have been said; where the fields say it, not twice. */
  const refuse = (errors: Record<string, string>, toasted: readonly string[]) => {
    fields.setErrors(errors)
    const paths = Object.keys(errors)
    if (paths.every((path) => fieldAt([path]))) dismissErrors(toasted)
    focusFirst(paths)
  }

  /** React holds back what `act` sets at once, in a transition, until the answers are renewed or time is up. */
  const drawnWhenRenewed = (act: () => unknown) =>
    new Promise<void>((resolve, reject) =>
      startRenewing(async () => {
        const isRenewed = renewalsOf(act).then(resolve, reject)
        await Promise.race([isRenewed, new Promise((timeUp) => setTimeout(timeUp, renewalMs))])
        resolve()
      }),
    )

  const submit = async () => {
    // From here on, not only while it is sent: the schema may have to be fetched, and somebody clicks again meanwhile.
    if (busy.current || renewing) return
    busy.current = true
    fail(null)
    dismissErrors()
    try {
      const values = fields.getValues()
      sent.current = values
      const body = options.toBody(values)
      const schema = typeof options.schema === 'function' ? await options.schema() : options.schema
      // A screen need not have them: most of its forms are right at once.
      await i18n.loadNamespaces('errors')
      const errors = {
        ...(schema ? schemaErrors(schema, body) : {}),
        ...missingErrors(namedBy(options.required, values), values),
      }
      if (Object.keys(errors).length > 0) {
        const text = i18n.t('errors:codes.VALIDATION')
        toastError(text)
        return refuse(errors, [text])
      }
      fields.clearErrors()
      // Drawn before it is sent, so that its news waits however fast the answer is.
      flushSync(() => setSaving(true))
      const result = await options.save(body, values)
      saved.current = true
      fields.resetDirty(values)
      await drawnWhenRenewed(() => options.onSaved?.(result, values))
    } catch (error) {
      const code = isCallError(error) ? (error.code as ErrorCode) : undefined
      const field = code && (options.fieldOf?.[code] ?? usualFields[code]?.find((name) => name in fields.getValues()))
      if (isCallError(error) && error.status === 422) refuse(firstOfEach(error.fields), error.messages)
      else if (field) refuse({ [field]: (error as Error).message }, [(error as Error).message])
      else if (!isCallError(error)) fail(i18n.t('common:errors.unexpected'))
      else if (code === 'TOO_MANY_REQUESTS' && error.retryAfterS) waitFor(error.retryAfterS)
      // The error rules have toasted it already.
      else if (error.status !== 400 && error.status !== 403) fail(error.message)
    } finally {
      busy.current = false
      setSaving(false)
      saved.current = false
    }
  }

  const isUnsaved = () => !saved.current && fields.isDirty()
  useToldUnsaved(isUnsaved)

  return {
    fields,
    saving: saving || renewing,
    failure,
    submit: () => void submit(),
    isUnsaved,
    startFrom: (values, former) => {
      const now = fields.getValues()
      const typed = saved.current && sent.current ? differing(sent.current, now) : {}
      const kept = former && omitted(now, differing(former, values))
      fields.setInitialValues(values)
      fields.setValues({ ...values, ...kept, ...typed })
      fields.resetDirty(values)
    },
  }
}

const omitted = <V extends object>(values: V, names: object): Partial<V> =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !(name in names))) as Partial<V>

/** Tells `FormOf`, where the form is in one. */
function useToldUnsaved(isUnsaved: () => boolean) {
  const forms = use(FormsOfThing)
  const latest = useRef(isUnsaved)
  latest.current = isUnsaved
  useEffect(() => {
    if (!forms) return
    const ask = () => latest.current()
    forms.add(ask)
    return () => void forms.delete(ask)
  }, [forms])
}

const namedBy = <V>(required: Required<V> = [], values: V) =>
  typeof required === 'function' ? required(values) : required

/** Finds the required fields, at first at once, and then when somebody rests: they may depend on what is filled in. */
function useRequired<V extends object, B, R>(
  options: EntityFormOptions<V, B, R>,
  values: V,
  marked: RefObject<ReadonlySet<string>>,
) {
  const [, drawAgain] = useReducer((count: number) => count + 1, 0)
  const latest = useRef(options)
  latest.current = options
  const initial = useRef(values)
  const isFirst = useRef(true)
  useEffect(() => {
    let isOver = false
    const look = async () => {
      isFirst.current = false
      const { schema, toBody, required } = latest.current
      const named = namedBy(required, values)
      const found: string[] = []
      if (typeof schema === 'object') {
        // A form is there before its marks, and works without them.
        const rule = await import('./required-fields.ts').catch(() => null)
        found.push(...(rule?.requiredFields({ schema, toBody }, values, initial.current) ?? []))
      }
      const next = new Set([...named, ...found])
      const isSame = next.size === marked.current.size && [...next].every((name) => marked.current.has(name))
      if (isOver || isSame) return
      marked.current = next
      drawAgain()
    }
    const timer = setTimeout(() => void look(), isFirst.current ? 0 : restMs)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [values, marked])
}

/** How long nobody types before the required fields are looked for anew. */
const restMs = 250

const firstOfEach = (fields: Record<string, string[]>) =>
  Object.fromEntries(Object.entries(fields).map(([path, messages]) => [path, messages[0] ?? '']))

const fieldAt = (paths: string[]) =>
  [...document.querySelectorAll<HTMLElement>('[data-path]')].find((field) => paths.includes(field.dataset.path ?? ''))

/** Moves to the first field that is wrong: the one with `data-path`, once the errors have been rendered. */
function focusFirst(paths: string[]) {
  setTimeout(() => {
    const wrong = fieldAt(paths)
    wrong?.focus({ preventScroll: true })
    wrong?.scrollIntoView({ block: 'center' })
  })
}
