// workbench
