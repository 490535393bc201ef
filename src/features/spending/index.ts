import type * as vscode from 'vscode';
import { registerCommand, runCommand } from '../../editor/commands.js';
import { commandTitles } from '../../editor/commandTable.js';
import { showError, withErrorMessage } from '../../editor/messages.js';
import { askPick } from '../../editor/quickInput.js';
import { settingOr } from '../../editor/settings.js';
import type { PickItem } from '../../editor/untrustedText.js';
import { readPrices, type BudgetState } from '../../generation/budget.js';
import { stepLabels } from '../../generation/failures.js';
import { separator } from '../../generation/questions.js';
import { openSettings } from '../../generation/report.js';
import type { Services } from '../../generation/services.js';
import { formatMoney } from '../../images/wording.js';
import type { PriceList } from '../../service/price.js';
import { spendingMessages } from '../messages.js';
import { lastEmptyBalance, spendingPeriods, type Period, type Spender, type Sums } from './sums.js';

/** An item that says something, and what Enter does with it. */
interface Line extends PickItem {
	readonly run?: () => Promise<unknown>;
}

/** "Show Spending…": what the ledger has of today, this week and this month. */
export function registerSpending(deps: Services): vscode.Disposable {
	return registerCommand('easel.showSpending', () => withErrorMessage(() => showSpending(deps)));
}

/** The command. @throws {SettingError} where a limit of the budget is wrong; the system's error */
export async function showSpending({
	budget,
	ledger,
}: Pick<Services, 'budget' | 'ledger'>): Promise<void> {
	// What was spent is shown without money where the prices are wrong.
	const prices = settingOr(readPrices, showError);
	const lines = await ledger.spending();
	const empty = lastEmptyBalance(lines);
	const periods = spendingPeriods(lines, prices);
	const isNothing = periods.every(({ bySpender }) => bySpender.size === 0);
	const items: Line[] = [
		...(empty === undefined ? [] : emptyBalanceLines(new Date(empty.time))),
		...(isNothing
			? [{ icon: 'info', label: spendingMessages.nothing(lines.length > 0) }]
			: periods.flatMap((period) => periodLines(period, prices))),
		separator(spendingMessages.agents),
		await budgetLine(budget),
		{
			icon: 'settings-gear',
			label: prices === undefined ? spendingMessages.setPrice : spendingMessages.changePrice,
			run: () => openSettings('easel.budget'),
		},
	];
	const answer = await askPick<Line>({
		title: commandTitles['easel.showSpending'],
		placeholder: spendingMessages.placeholder,
		items,
		matchOnDescription: true,
		acceptable: ({ run }) => run !== undefined,
	});
	if (answer?.type === 'value') {
		await answer.value.run?.();
	}
}

function emptyBalanceLines(time: Date): Line[] {
	const words = time.toLocaleString('en-US', { dateStyle: 'long', timeStyle: 'short' });
	return [
		separator(spendingMessages.balance),
		{ icon: 'warning', label: spendingMessages.emptyBalance, description: words },
		{
			icon: 'key',
			label: stepLabels.useAnotherKey,
			description: spendingMessages.orTopUp,
			run: () => runCommand('easel.setApiKey'),
		},
	];
}

function periodLines({ name, bySpender, all }: Period, prices: PriceList | undefined): Line[] {
	const own = [...bySpender].map(([spender, sums]) => sumsLine(spender, sums, prices));
	return [
		separator(spendingMessages.periods[name]),
		...(own.length === 0 ? [{ label: spendingMessages.noRequests }] : []),
		...(own.length > 1 ? [sumsLine('all', all, prices)] : []),
		...own,
	];
}

/** `You  23 requests · about €0.92`, with what has become of them below. */
function sumsLine(spender: Spender | 'all', sums: Sums, prices: PriceList | undefined): Line {
	const { sent, made, unknown, charged } = sums;
	const money = (amount: number | undefined) =>
		amount === undefined || prices === undefined
			? undefined
			: spendingMessages.about(formatMoney(amount, prices.currency));
	return {
		label: spendingMessages.spenders[spender],
		description: [spendingMessages.requests(sent), money(sums.money)].filter(Boolean).join(' · '),
		detail: [
			spender === 'words' ? spendingMessages.answers(made) : spendingMessages.made(made),
			unknown > 0 && spendingMessages.unknown(unknown, money(sums.unknownMoney)),
			charged > 0 && spendingMessages.charged(charged),
		]
			.filter(Boolean)
			.join(' · '),
	};
}

async function budgetLine(budget: Services['budget']): Promise<Line> {
	const state = await budget.state();
	return {
		icon: 'shield',
		label: budgetWords(state),
		run: () => openSettings('easel.budget'),
	};
}

function budgetWords({
	used_today: today,
	allowed_today: perDay,
	used_this_session: session,
	allowed_this_session: perSession,
}: BudgetState): string {
	const parts = [
		...(perDay > 0 ? [spendingMessages.usedToday(today, perDay)] : []),
		...(perSession > 0 ? [spendingMessages.usedInSession(session, perSession)] : []),
	];
	return parts.length === 0 ? spendingMessages.noBudget : parts.join(' · ');
}
