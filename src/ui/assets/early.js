// Runs before the first paint: from here on the page shows what needs script and hides what stands
// in for it.
document.documentElement.dataset.script = "on";
