import { html, type TemplateResult } from 'lit';
import { codicon, type IconName } from '../codicon.js';

/**
 * A button that shows only an icon.
 *
 * @param title what the pointer brings up, where that is not the whole label
 */
export function iconButton(
	label: string,
	icon: IconName,
	onClick: (event: MouseEvent) => void,
	title = label,
): TemplateResult {
	return html`
		<button class="icon" aria-label=${label} title=${title} @click=${onClick}>
			${codicon(icon)}
		</button>
	`;
}
