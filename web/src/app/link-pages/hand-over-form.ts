import type { HandOverFacts, PageItem, ShownConditions } from '@isotherm/contract/order-links.ts'
import type { Outcome } from '@isotherm/contract/orders.ts'
import type { z } from 'zod'
import { newRequestId } from '../../lib/request-id.ts'
import { factsOf, isTaken } from '../../shared/hand-over/facts-of.ts'
import { h } from './dom.ts'
import { photoField } from './photos.ts'
import { signaturePad } from './signature-pad.ts'
import { t } from './words.ts'

/** A hand-over that is to be sent. */
export interface FilledHandOver {
  facts: z.input<typeof HandOverFacts>
  signature: Blob | null
  photos: Blob[]
}

interface Options {
  items: readonly PageItem[]
  /** The choices of the outcome. */
  outcomes: readonly Outcome[]
  needsSignature: boolean
  shown: Pick<ShownConditions, 'conditions' | 'sha256'> | null
  /** Sends it; a text says why it was not taken. */
  send(filled: FilledHandOver): Promise<string | null>
  cancel(): void
}

const option = (name: string, value: string, text: string, isOn: boolean) =>
  h('label', { class: 'choice' }, h('input', { type: 'radio', name, value, checked: isOn }), h('span', {}, text))

function itemField({ name, quantity }: PageItem) {
  const count = h('input', { type: 'number', min: 0, max: quantity, value: quantity, inputmode: 'numeric' })
  const why = h('input', { type: 'text', maxlength: 300 })
  const element = h(
    'fieldset',
    { class: 'item' },
    h('legend', {}, name),
    field(t('receiverPage:form.taken', { quantity }), count),
    field(t('receiverPage:form.itemReason'), why),
  )
  return {
    element,
    read: () => ({
      delivered: Math.min(quantity, Math.max(0, Number(count.value) || 0)),
      reason: why.value.trim() || null,
    }),
  }
}

const field = (name: string, input: HTMLElement, hint?: string) =>
  h('label', { class: 'field' }, h('span', {}, name), input, hint ? h('small', { class: 'dim' }, hint) : null)

/** The form of a hand-over. It stays as it is filled in while the page behind it asks again. */
export function handOverForm({ items, outcomes, needsSignature, shown, send, cancel }: Options): HTMLFormElement {
  const fields = items.map(itemField)
  const list = h('div', { hidden: true }, ...fields.map(({ element }) => element))
  const name = h('input', { type: 'text', maxlength: 120, autocomplete: 'name', required: needsSignature })
  const role = h('input', { type: 'text', maxlength: 120, autocomplete: 'organization-title' })
  const remark = h('textarea', { maxlength: 1_000, rows: 2 })
  const remarkName = h('span', {}, t('receiverPage:form.reservation'))
  const pad = signaturePad(needsSignature)
  const photos = photoField()
  const fault = h('p', { class: 'fault', role: 'alert' })
  const submit = h('button', { type: 'submit', class: 'main' }, t('receiverPage:form.send'))
  const form = h(
    'form',
    { class: 'card form', novalidate: true, tabindex: -1 },
    h('h2', {}, t('receiverPage:form.title')),
    h(
      'div',
      { class: 'choices', role: 'radiogroup', 'aria-label': t('receiverPage:form.outcome') },
      ...outcomes.map((outcome, index) => option('outcome', outcome, t(`receiverPage:accept.${outcome}`), index === 0)),
    ),
    list,
    h('label', { class: 'field' }, remarkName, remark),
    field(t('receiverPage:form.name'), name),
    field(t('receiverPage:form.role'), role),
    pad.element,
    photos.element,
    fault,
    submit,
    h('button', { type: 'button', class: 'plain', click: cancel }, t('receiverPage:form.cancel')),
  )
  const outcomeOf = () => new FormData(form).get('outcome') as Outcome
  form.addEventListener('change', () => {
    list.hidden = outcomeOf() !== 'partlyDelivered'
    remarkName.textContent = t(isTaken(outcomeOf()) ? 'receiverPage:form.reservation' : 'receiverPage:form.reason')
  })
  // A fault is said until somebody goes on.
  for (const sign of ['input', 'pointerup']) form.addEventListener(sign, () => (fault.textContent = ''))
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const signature = await pad.read()
    const [said, outcome] = [remark.value.trim(), outcomeOf()]
    const missing =
      needsSignature && (!signature || !name.value.trim()) ? 'signature' : !isTaken(outcome) && !said ? 'reason' : null
    fault.textContent = missing ? t(`receiverPage:missing.${missing}`) : ''
    if (missing) return
    submit.disabled = true
    const fallen = await send({
      facts: factsOf(
        {
          ...{ outcome, said, signerName: name.value, signerRole: role.value },
          items: fields.map(({ read }) => read()),
        },
        {
          ...{ at: new Date().toISOString(), requestId: newRequestId() },
          shown: shown && { to: shown.conditions.to, sha256: shown.sha256 },
        },
      ),
      ...{ signature, photos: photos.read() },
    })
    submit.disabled = false
    fault.textContent = fallen ?? ''
  })
  return form
}

/** A hand-over as the server takes it. */
export function formOf({ facts, signature, photos }: FilledHandOver, more: Record<string, string>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(more)) form.set(name, value)
  form.set('facts', JSON.stringify(facts))
  if (signature) form.set('signature', signature, 'signature.png')
  for (const [index, photo] of photos.entries()) form.set(`photo${index + 1}`, photo, `photo-${index + 1}.jpg`)
  return form
}
