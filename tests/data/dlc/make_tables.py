# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the tables of this folder the way DeepLabCut does, with pandas and tables."""
import numpy as np
import pandas as pd

columns = pd.MultiIndex.from_product(
    [["Scorer"], ["mouse1", "mouse2"], ["nose", "tail base"], ["x", "y", "likelihood"]],
    names=["scorer", "individuals", "bodyparts", "coords"])
values = np.arange(36, dtype=float).reshape(3, 12) * 1.5
values[1, 3:6] = np.nan
predictions = pd.DataFrame(values, columns=columns)
predictions.to_hdf("predictions_table.h5", key="df_with_missing", format="table", mode="w")

columns = pd.MultiIndex.from_product([["Scorer"], ["nose", "tail"], ["x", "y"]], names=["scorer", "bodyparts", "coords"])
values = np.array([[1.5, 2, 3, 4], [5, 6, np.nan, np.nan]])
parts = pd.MultiIndex.from_tuples([("labeled-data", "mov", "img003.png"), ("labeled-data", "mov", "img010.png")])
pd.DataFrame(values, columns=columns, index=parts).to_hdf("labels_fixed.h5", key="df_with_missing", mode="w")
paths = ["labeled-data/mov/img003.png", "labeled-data/mov/img010.png"]
pd.DataFrame(values, columns=columns, index=paths).to_hdf("labels_fixed_paths.h5", key="df_with_missing", mode="w")
