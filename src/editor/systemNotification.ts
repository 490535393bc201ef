// No vscode here: the tests run it in plain Node, for every system.
import { execFile } from 'node:child_process';
import { homedir } from 'node:os';
import { promisify } from 'node:util';

/** The title of every notification. On macOS it also keeps the text from being read as an option. */
const title = 'Easel';

/** It may have to start first. */
const notificationTimeoutMs = 20_000;

/**
 * Shows a notification of the system. The text is passed as an argument, on Windows by a variable of
 * the environment: no shell, no script and no markup is made of it.
 *
 * @param system, env those of this machine; given for tests
 * @throws {Error} where the system has no such program, or it fails or takes more than 20 seconds
 */
export async function showSystemNotification(
	text: string,
	system: NodeJS.Platform = process.platform,
	env: NodeJS.ProcessEnv = process.env,
): Promise<void> {
	const { program, args, env: more } = notifierOf(text, system, env);
	await promisify(execFile)(program, [...args], {
		// Windows looks for programs in the folder that it is run in as well.
		cwd: homedir(),
		env: { ...passedOn(env), ...more },
		timeout: notificationTimeoutMs,
		windowsHide: true,
	});
}

/** The program that shows a notification on a system, and what it is run with, more variables too. */
function notifierOf(text: string, system: NodeJS.Platform, env: NodeJS.ProcessEnv) {
	if (system === 'darwin') {
		const script = [
			'on run argv',
			'display notification (item 2 of argv) with title (item 1 of argv)',
			'end run',
		];
		const args = [...script.flatMap((line) => ['-e', line]), title, text];
		return { program: 'osascript', args, env: {} };
	}
	if (system === 'win32') {
		return {
			program: `${env['SystemRoot'] ?? String.raw`C:\Windows`}${powershell}`,
			args: ['-NoProfile', '-NonInteractive', '-Command', toastScript],
			env: { EASEL_NOTIFICATION_TITLE: title, EASEL_NOTIFICATION_TEXT: text },
		};
	}
	const args = ['--app-name', title, '--', title, withoutMarkup(text)];
	return { program: 'notify-send', args, env: {} };
}

/**
 * Returns the variables that such programs need to reach the desktop, and no more: a key may be in
 * the environment.
 */
function passedOn(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
	return Object.fromEntries(Object.entries(env).filter(([name]) => needed.test(name)));
}

const needed =
	/^(?:path|pathext|home|user|logname|lang|lc_\w+|display|wayland_display|xauthority|dbus_\w+|xdg_\w+|tmpdir|temp|tmp|systemroot|systemdrive|windir|comspec|userprofile|appdata|localappdata|programdata|psmodulepath)$/i;

/** Servers may read the text below the title as markup, with entities. */
function withoutMarkup(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Below the folder of Windows: its own one can show toasts, and another may lie anywhere. */
const powershell = String.raw`\System32\WindowsPowerShell\v1.0\powershell.exe`;

/** Shown as one of Windows PowerShell: an identifier that Windows does not know shows nothing. */
const toastScript = [
	"$ErrorActionPreference = 'Stop'",
	'$manager = [Windows.UI.Notifications.ToastNotificationManager, Windows.UI.Notifications, ContentType = WindowsRuntime]',
	'$xml = $manager::GetTemplateContent([Windows.UI.Notifications.ToastTemplateType]::ToastText02)',
	"$lines = $xml.GetElementsByTagName('text')",
	'[void]$lines.Item(0).AppendChild($xml.CreateTextNode($env:EASEL_NOTIFICATION_TITLE))',
	'[void]$lines.Item(1).AppendChild($xml.CreateTextNode($env:EASEL_NOTIFICATION_TEXT))',
	'$toast = [Windows.UI.Notifications.ToastNotification]::new($xml)',
	String.raw`$manager::CreateToastNotifier('{1AC14E77-02E7-4E5D-B744-2EB1AE5198B7}\WindowsPowerShell\v1.0\powershell.exe').Show($toast)`,
].join('; ');
