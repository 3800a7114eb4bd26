# purser completion for PowerShell 5.1 and 7. Load it with: purser completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName purser -ScriptBlock {
	param($wordToComplete, $commandAst, $cursorPosition)
	$words = @($commandAst.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.Extent.Text })
	# PowerShell 5 drops an empty argument.
	$typed = if ($wordToComplete -eq '') { '""' } else { $wordToComplete }
	purser complete '--' @words $typed 2>$null | ForEach-Object {
		$value, $description = $_ -split "`t", 2
		# Without an answer PowerShell offers files by itself.
		if ($value -eq ':files') { return }
		[System.Management.Automation.CompletionResult]::new($value, $(if ($description -and -not $value.StartsWith('-')) { "$value $description" } else { $value }), 'ParameterValue', "$description ")
	}
}
