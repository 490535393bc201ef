import '@vscode-elements/elements/dist/vscode-icon/index.js';
import { html, type TemplateResult } from 'lit';

/**
 * A button that shows only an icon.
 *
 * @param icon a codicon
 * @param title what the pointer brings up, where that is not the whole label
 */
export function iconButton(
	label: string,
	icon: string,
	onClick: (event: MouseEvent) => void,
	title = label,
): TemplateResult {
	return html`
		<button class="icon" aria-label=${label} title=${title} @click=${onClick}>
			<vscode-icon name=${icon}></vscode-icon>
		</button>
	`;
}
