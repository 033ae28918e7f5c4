import { ask } from '../link-pages/ask.ts'
import { h } from '../link-pages/dom.ts'
import { t } from '../link-pages/words.ts'

/** The card by which a receiver has the receipt mailed to an address. What was typed stays while the page behind it is drawn anew. */
export function receiptForm(token: string): HTMLFormElement {
  const email = h('input', { type: 'email', name: 'email', maxlength: 254, autocomplete: 'email', required: true })
  const said = h('p', { class: 'said', role: 'status' })
  const fault = h('p', { class: 'fault', role: 'alert' })
  const submit = h('button', { type: 'submit', class: 'main' }, t('receiverPage:receiptMail.send'))
  const form = h(
    'form',
    { class: 'card form', novalidate: true },
    h('h2', {}, t('receiverPage:receiptMail.title')),
    h('label', { class: 'field' }, h('span', {}, t('receiverPage:receiptMail.email')), email),
    fault,
    said,
    submit,
  )
  email.addEventListener('input', () => {
    fault.textContent = said.textContent = ''
  })
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const address = email.value.trim()
    said.textContent = ''
    fault.textContent = address && email.checkValidity() ? '' : t('receiverPage:receiptMail.bad')
    if (fault.textContent) return
    submit.disabled = true
    const answer = await ask('/track/receipt', { token, email: address })
    submit.disabled = false
    if (answer.state === 'ok') {
      said.textContent = t('receiverPage:receiptMail.sent', { email: address })
      email.value = ''
    } else if (answer.state === 'refused' && answer.status === 422)
      fault.textContent = t('receiverPage:receiptMail.bad')
    else fault.textContent = t('receiverPage:receiptMail.failed')
  })
  return form
}

/** Whether the card holds an address that was typed and not sent. */
export const holdsAddress = (card: HTMLFormElement): boolean =>
  card.querySelector<HTMLInputElement>('input[name=email]')?.value.trim() !== ''
